// What a live table needs: new views as they come, choices without a new page.

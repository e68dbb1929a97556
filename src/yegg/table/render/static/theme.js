// Day or night as a person has chosen it, before the page is drawn; else the system's own.
// Style sheets ask the system in their media rules.  Those are answered here, so that no colour is written twice.
{
  const ASKS = "(prefers-color-scheme: light)";
  const changed = new Map(); // the media rules, and what they asked at first

  const rules = (sheet) => [...sheet.cssRules].filter((rule) => rule.media && rule.conditionText.includes(ASKS));

  globalThis.yeggTheme = (theme) => {
    for (const sheet of document.styleSheets) for (const rule of rules(sheet)) changed.set(rule, rule.conditionText);
    for (const [rule, asked] of changed) {
      rule.media.mediaText = theme ? asked.replace(ASKS, theme === "light" ? "all" : "not all") : asked;
    }
    document.documentElement.style.colorScheme = theme;
  };

  const chosen = localStorage.getItem("yegg-theme");
  if (chosen) globalThis.yeggTheme(chosen);
}

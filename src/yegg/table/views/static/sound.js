export function begin() {}

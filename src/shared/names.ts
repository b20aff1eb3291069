/** The form in which two names (or GUIDs, or user names) that count as the same are equal. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

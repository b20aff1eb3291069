/** The whole number in a column of a row. @throws {Error} if there is none */
export function integerAt(row: readonly unknown[], column: number): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`Column ${column} of a row holds no number`);
  return value;
}

/** The text in a column of a row. @throws {Error} if there is none */
export function textAt(row: readonly unknown[], column: number): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`Column ${column} of a row holds no text`);
  return value;
}

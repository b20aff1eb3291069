/** Splits a comma list; a comma in a value is written `\,` and a backslash before a comma `\\`. */
export function splitList(list: string): string[] {
  const items: string[] = [''];
  for (let i = 0; i < list.length; i++) {
    const character = list[i] ?? '';
    if (character === '\\' && (list[i + 1] === ',' || list[i + 1] === '\\')) {
      items[items.length - 1] += list[++i] ?? '';
    } else if (character === ',') items.push('');
    else items[items.length - 1] += character;
  }
  return items;
}

/** Writes values as a comma list that `splitList` reads back. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\,]/g, '\\$&')).join(',');
}

/** The first number from the next position on whose name none of the items has. */
export function firstFreeNumber(
  items: readonly { readonly name: string }[],
  nameOf: (number: number) => string,
): number {
  const names = new Set(items.map(({ name }) => name));
  let number = items.length + 1;
  while (names.has(nameOf(number))) number += 1;
  return number;
}

/** Whether two JSON values are equal; the order of an object's keys counts. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return (
    one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
  );
}

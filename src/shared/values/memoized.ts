/** The function, which computes its result once for each combination of arguments, and keeps all results. */
/* @__NO_SIDE_EFFECTS__ */
export function memoized<
  Args extends readonly (string | number | boolean)[],
  Result extends object | string,
>(compute: (...args: Args) => Result): (...args: Args) => Result {
  const known = new Map<string, Result>();
  return (...args) => {
    const key = args.join(' ');
    let result = known.get(key);
    if (result === undefined) known.set(key, (result = compute(...args)));
    return result;
  };
}

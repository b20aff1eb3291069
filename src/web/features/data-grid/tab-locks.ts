/** Over plain http browsers have no locks; what they would guard then has to stand without. */
export function locks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

/** Works while nobody else holds a lock; without locks, always. @returns null where another tab holds it */
export async function whileFree<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  const manager = locks();
  if (!manager) return work();
  return manager.request(name, { ifAvailable: true }, (lock) => (lock ? work() : null));
}

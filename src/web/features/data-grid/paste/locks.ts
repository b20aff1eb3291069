const nameOf = (job: string) => `indexdesk-paste-${job}`;

/** Over plain http browsers have no locks; then the idempotency keys alone keep two tabs from doubling rows. */
function locks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

/** Works on a paste unless another tab does. @returns null where one does */
export async function whileAlone<T>(job: string, work: () => Promise<T>): Promise<T | null> {
  const manager = locks();
  if (!manager) return work();
  return manager.request(nameOf(job), { ifAvailable: true }, (lock) => (lock ? work() : null));
}

/** Whether a tab works on a paste right now. */
export async function isWorkedOn(job: string): Promise<boolean> {
  const state = await locks()?.query();
  return state?.held?.some(({ name }) => name === nameOf(job)) ?? false;
}

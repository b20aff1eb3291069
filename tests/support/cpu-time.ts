/** The processor time this process has taken so far, in milliseconds: what other programs do is not in it. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const DAY = 86_400_000;

/**
 * The possible offsets from UTC of a local time `YYYY-MM-DDTHH:mm:ss`: two if the clocks are put back and it occurs
 * twice (the earlier moment first), none if they are put forward and it does not exist.
 * @param eastOf minutes east of UTC at a moment; by default the browser's
 */
export function localOffsets(
  local: string,
  eastOf: (moment: number) => number = minutesHere,
): readonly string[] {
  const asUtc = Date.parse(`${local}Z`);
  // Clock changes are less than a day away, and shift by less than a day.
  const around = new Set([eastOf(asUtc - DAY), eastOf(asUtc + DAY)]);
  return [...around]
    .filter((minutes) => eastOf(asUtc - minutes * 60_000) === minutes)
    .map((minutes) => formatOffset(minutes));
}

/** The moment in local time: `YYYY-MM-DDTHH:mm+hh:mm`. */
export function localNow(moment = Date.now()): string {
  const minutes = minutesHere(moment);
  const local = new Date(moment + minutes * 60_000).toISOString().slice(0, 16);
  return `${local}:00${formatOffset(minutes)}`;
}

function minutesHere(moment: number): number {
  return -new Date(moment).getTimezoneOffset();
}

function formatOffset(minutes: number): string {
  const absolute = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

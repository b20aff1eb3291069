const DAY = 86_400_000;

/**
 * The offsets from UTC that a local time `YYYY-MM-DDTHH:mm:ss` has here: two where the clocks are put back and
 * it comes twice (the earlier moment first), none where they are put forward and it never comes.
 * @param eastOf minutes east of UTC at a moment; the browser's own by default
 */
export function localOffsets(
  local: string,
  eastOf: (moment: number) => number = minutesHere,
): readonly string[] {
  const asUtc = Date.parse(`${local}Z`);
  // Clocks are put on or back less than a day before or after, and by less than a day.
  const around = new Set([eastOf(asUtc - DAY), eastOf(asUtc + DAY)]);
  return [...around]
    .filter((minutes) => eastOf(asUtc - minutes * 60_000) === minutes)
    .map((minutes) => formatOffset(minutes));
}

/** The moment as the clock here shows it: `YYYY-MM-DDTHH:mm+hh:mm`. */
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

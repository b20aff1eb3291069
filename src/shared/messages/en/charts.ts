/** Charts. */
export const chart = ({ title, last, most }: { title: string; last: string; most: string }) =>
  `${title}: ${last}, at most ${most}`;
export const most = (value: string) => `max. ${value}`;

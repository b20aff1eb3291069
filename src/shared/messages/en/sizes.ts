/** Sizes in bytes, in decimal units. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const bytes = (count: number) =>
  plural(count, { one: '1 byte', other: `${formatCount(count)} bytes` });
export const kilobytes = (value: string) => `${value} KB`;
export const megabytes = (value: string) => `${value} MB`;
export const gigabytes = (value: string) => `${value} GB`;

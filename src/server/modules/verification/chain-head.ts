import { isoTime } from '#server/lib/iso-time.ts';
/** The end of the chain at some time: its newest block. */
export interface Head {
  /** 0: there is no block */
  readonly number: number;
  /** of the newest entry in it, from 1 */
  readonly position: number;
  /** hexadecimal */
  readonly hash: string;
  /** when it was appended, milliseconds since 1970 UTC */
  readonly sealedAt: number;
}

/** A head as one line, to be stored elsewhere: `NUMBER/POSITION/HASH/TIME`. */
export function formatHead({ number, position, hash, sealedAt }: Head): string {
  return [number, position, hash, isoTime(sealedAt)].join('/');
}

/** @returns undefined if the text is not a head */
export function parseHead(text: string): Head | undefined {
  const match = /^(\d{1,15})\/(\d{1,15})\/([0-9a-f]{64})\/(\S+)$/.exec(text.trim());
  const [number = '', position = '', hash = '', time = ''] = match?.slice(1) ?? [];
  const sealedAt = Date.parse(time);
  if (!match || Number.isNaN(sealedAt)) return undefined;
  return { number: Number(number), position: Number(position), hash, sealedAt };
}

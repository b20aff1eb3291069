import type { Generated } from 'kysely';

// The tables of what checks find, and of the texts of files.

/** What the background work knows of a check (modules/checks). */
export interface CheckStateRow {
  id: Generated<number>;
  scope: 'archive' | 'table';
  thing_id: number;
  name: string;
  /** of all that decides about findings; another one means that the check has changed */
  fingerprint: string;
  /** null: not counted since it was defined or changed */
  count: number | null;
  /** the findings that are stored, which are all of them once `count` is not null */
  found: number;
  /** when `count` was right last, milliseconds since 1970 UTC */
  as_of: number | null;
  /** when all records are looked at again */
  due_at: number;
}

/** A record for which a check is not met. */
export interface CheckFindingRow {
  check_id: number;
  row_id: number;
}

/** What a record is compared by in a check on duplicates. */
export interface CheckKeyRow {
  check_id: number;
  /** the place of the list of fields in the check */
  part: number;
  /** a hash of the values, up to 2^53 */
  key: number;
  row_id: number;
}

/** The text of a file, by the digest of its bytes, for the check whether values stand on the page (modules/page-texts). */
export interface FileTextRow {
  sha256: string;
  location: string;
  content_type: string;
  /** `due`: it is to be extracted; `extracted`: it is to be compared with the records; `compared` */
  state: 'due' | 'extracted' | 'compared';
  /** how many processes have begun to extract it; one that ended on its own account does not count */
  attempts: number;
  lease_owner: string | null;
  lease_until: number;
  /** folded, with a form feed between pages; null: none, or not yet */
  text: string | null;
  /** 1: the file has more text than is stored */
  is_cut: number;
  /** why the file has no text: null where it was read */
  problem: string | null;
}

/** A value of a record that does not stand on the pages of its document. */
export interface PageMissRow {
  archive_id: number;
  row_id: number;
  /** its number */
  field: number;
  /** the beginning of the value, as text: of another value nothing is known yet */
  value: string;
}

/** A record that is right although a check is not met. */
export interface CheckExceptionRow {
  scope: 'archive' | 'table';
  thing_id: number;
  row_id: number;
  /** of the check */
  name: string;
  /** of duplicates: the other record, for which there is such a row too; 0: of no pair */
  with_id: number;
  /** the numbers of the fields whose change ends it, each between commas: `,3,5,` */
  fields: string;
  reason: string;
  made_by: string;
  made_at: number;
}

/** What `_future` and `_outlier` compare with, computed hourly. */
export interface CheckMeasureRow {
  scope: 'archive' | 'table';
  thing_id: number;
  /** the number of the field */
  field: number;
  /** of `_outlier` the value of the field with options; of `_future` empty */
  value: string;
  /** bounds of `_outlier` as decimal text */
  low: string | null;
  high: string | null;
}

/** How many findings a check had at the end of a day on which they have changed. */
export interface DailyFindingRow {
  scope: 'archive' | 'table';
  thing_id: number;
  /** of the check; empty: the records with a finding of any check */
  name: string;
  /** `YYYY-MM-DD`, in the time zone of the service */
  day: string;
  count: number;
}

/** How many findings of a check somebody has put right on a day. */
export interface DailyCorrectionRow {
  scope: 'archive' | 'table';
  thing_id: number;
  name: string;
  day: string;
  /** 0: not known, or no user */
  user_id: number;
  count: number;
}

/** How far the background work has followed the history; one row. */
export interface CheckWorkerRow {
  id: number;
  /** the last position of the history that it has seen */
  position: number;
  lease_owner: string | null;
  lease_until: number;
}

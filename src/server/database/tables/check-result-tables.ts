import type { CollectionKind } from '#shared/rules/names.ts';
import type { Generated } from 'kysely';

// The tables of findings of checks, and of the texts of files.

/** The state of a check that the background work stores (modules/checks). */
export interface CheckStateRow {
  id: Generated<number>;
  scope: CollectionKind;
  thing_id: number;
  name: string;
  /** a hash of everything that determines the findings; a different one means that the check has changed */
  fingerprint: string;
  /** null: not counted since it was defined or changed */
  count: number | null;
  /** the stored findings; complete once `count` is not null */
  found: number;
  /** the last time at which `count` was correct, milliseconds since 1970 UTC */
  as_of: number | null;
  /** when all records are checked again */
  due_at: number;
}

/** A record that fails a check. */
export interface CheckFindingRow {
  check_id: number;
  row_id: number;
}

/** What a record is compared by in a check on duplicates: `check_keys` by key, `check_record_keys` by record. */
export interface CheckKeyRow {
  check_id: number;
  /** the position of the list of fields in the check */
  part: number;
  /** a hash of the values, up to 2^53 */
  key: number;
  row_id: number;
}

/**
 * The text of a file, by the digest of its bytes, for the check whether values occur on the page (modules/page-texts).
 */
export interface FileTextRow {
  sha256: string;
  location: string;
  content_type: string;
  /** `due`: waits for extraction; `extracted`: waits for comparison with the records; `compared` */
  state: 'due' | 'extracted' | 'compared';
  /** how many processes have begun the extraction; one that was stopped normally does not count */
  attempts: number;
  lease_owner: string | null;
  lease_until: number;
  /** folded, with a form feed between pages; null: none, or not yet */
  text: string | null;
  /** 1: the file has more text than is stored */
  is_cut: number;
  /** why the file has no text: null if it was read */
  problem: string | null;
}

/** A value of a record that does not occur on the pages of its document. */
export interface PageMissRow {
  archive_id: number;
  row_id: number;
  /** its number */
  field: number;
  /** the beginning of the value, as text; nothing is known of other values */
  value: string;
}

/** A record that is right although it fails a check. */
export interface CheckExceptionRow {
  scope: CollectionKind;
  thing_id: number;
  row_id: number;
  /** of the check */
  name: string;
  /** of duplicates: the other record, which has a matching row; 0: no pair */
  with_id: number;
  /** the numbers of the fields whose change ends the exception, each between commas: `,3,5,` */
  fields: string;
  reason: string;
  made_by: string;
  made_at: number;
}

/** The measures with which `_future` and `_outlier` compare, computed in the background. */
export interface CheckMeasureRow {
  scope: CollectionKind;
  thing_id: number;
  /** the number of the field */
  field: number;
  /** of `_outlier` the value of the field with options; of `_future` empty */
  value: string;
  /** bounds of `_outlier` as decimal text */
  low: string | null;
  high: string | null;
}

/** How many findings a check had at the end of a day on which the number changed. */
export interface DailyFindingRow {
  scope: CollectionKind;
  thing_id: number;
  /** of the check; empty: the records with a finding of any check */
  name: string;
  /** `YYYY-MM-DD`, in the time zone of the service */
  day: string;
  count: number;
}

/** How many findings of a check a user corrected on a day. */
export interface DailyCorrectionRow {
  scope: CollectionKind;
  thing_id: number;
  name: string;
  day: string;
  /** 0: unknown, or no user */
  user_id: number;
  count: number;
}

/** How far the background work has followed the history; one row. */
export interface CheckWorkerRow {
  id: number;
  /** the last processed position of the history */
  position: number;
  lease_owner: string | null;
  lease_until: number;
}

import type { CollectionKind } from '#shared/rules/names.ts';
import type { Generated, GeneratedAlways } from 'kysely';

// The tables of the installation, its definitions, files and loads.

export interface InstallationRow {
  key: string;
  value: string;
}

/** An archive or a data table, with its definition as JSON. */
export interface CollectionRow {
  id: Generated<number>;
  /** in lower case */
  guid: string;
  table_name: string;
  /** `table_name` in lower case */
  name_key: string;
  position: number;
  definition: string;
  retired_at: number | null;
}

export interface DataTableRow extends Omit<CollectionRow, 'table_name'> {
  name: string;
}

/** The size of the installation on a day: the last measurement of the day, in UTC. */
export interface DailySizeRow {
  /** `YYYY-MM-DD` */
  day: string;
  database_bytes: number;
  file_bytes: number;
  files: number;
  documents: number;
  datasets: number;
  history_entries: number;
}

/** A file without revisions whose bytes are being removed or were removed. */
export interface FileRemovalRow {
  location: string;
  /** the job that does it */
  job_id: number;
  /** 1: the bytes are removed */
  is_done: number;
}

export interface FileRow {
  id: Generated<number>;
  archive_id: number;
  /** the revisionId or jrid; of a record to be created: its line in the file, negative */
  row_id: number;
  position: number;
  name: string;
  content_type: string;
  /** bytes */
  size: number;
  sha256: string;
  location: string;
}

/** What the loader has loaded from a file whose rows have no ids. */
export interface LoadLedgerRow {
  scope: CollectionKind;
  thing_id: number;
  source: string;
  digest: string;
  occurrence: number;
  row_id: number;
}

/** A file that an earlier version of Indexdesk loaded; no longer written or read. */
export interface LoadedFileRow {
  scope: CollectionKind;
  thing_id: number;
  source: string;
  digest: string;
  loaded_at: number;
}

/** A record whose full-text index entry is outdated; only on SQLite. */
export interface SearchDueRow {
  scope: CollectionKind;
  thing_id: number;
  row_id: number;
}

/** What a statement added to the number of records of an archive or table; only on PostgreSQL. */
export interface RecordCountRow {
  /** the name of the record table */
  collection: string;
  id: GeneratedAlways<number>;
  change: number;
}

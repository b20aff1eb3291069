import type {
  ArchiveDefinition,
  Column,
  IndexField,
  KeywordField,
  TableDefinition,
} from '#shared/rules/definitions.ts';
import type { CollectionLimits } from '#shared/rules/limits.ts';
import type { ListColumn } from '#shared/rules/lists.ts';
import type { Check } from './check.ts';

/** The field that another field got its values from when its type was changed. */
export interface Conversion {
  /** the number of the field with the values before the conversion */
  readonly from: number;
  /** how its texts were read (BCP 47); null: in the form of the interface alone */
  readonly readAs: string | null;
  /** the decimal places that the field had then */
  readonly scale: number | null;
}

/** A field with its identity, which stays when it is renamed. */
type Identified<Field> = Field & {
  /** names its database column; never used twice */
  readonly number: number;
  /** its name in entries of the history, never used for two fields */
  readonly historyName: string;
  readonly conversion: Conversion | null;
  /** of the fields from which it was converted, the last one first: what refers to them refers to it */
  readonly formerNumbers: readonly number[];
};

/** What a person's view of an archive or table leaves out (docs/interface/administration.md, section 2). */
export interface Restriction<Whole> {
  /** with all its fields */
  readonly whole: Whole;
  /** where the fields of the view are among those of the whole */
  readonly places: readonly number[];
  readonly keywordPlaces: readonly number[];
  /** whether fields or keyword fields are hidden */
  readonly hidesFields: boolean;
  /** the numbers of the fields and keyword fields that the person may only read */
  readonly readOnly: ReadonlySet<number>;
}

/** An archive as the service knows it: its definition and where its records are kept. */
export interface Archive {
  readonly kind: 'archive';
  /** names the database tables: archive_ID, archive_ID_keywords */
  readonly id: number;
  readonly guid: string;
  /** the archive's table name in the spelling of the definition */
  readonly name: string;
  readonly definition: ArchiveDefinition;
  readonly fields: readonly Identified<IndexField>[];
  readonly keywordFields: readonly Identified<KeywordField>[];
  /** what lists of it can be filtered and sorted by */
  readonly listColumns: readonly ListColumn[];
  /** those that are active; of a view those that name no hidden field */
  readonly checks: readonly Check[];
  /** in which the day begins for rules of checks; an IANA name */
  readonly timeZone: string;
  /** of the definition; one more with each change */
  readonly version: number;
  /** milliseconds since 1970 UTC; null: it is in use */
  readonly retiredAt: number | null;
  /** what one request may ask of it */
  readonly limits: CollectionLimits;
  /** null: it is the whole archive; else the view of a person, without the fields that are hidden */
  readonly restriction: Restriction<Archive> | null;
}

/** A data table as the service knows it. */
export interface Table {
  readonly kind: 'table';
  readonly id: number;
  readonly guid: string;
  readonly name: string;
  readonly definition: TableDefinition;
  readonly fields: readonly Identified<Column>[];
  readonly keywordFields: readonly [];
  readonly listColumns: readonly ListColumn[];
  readonly checks: readonly Check[];
  readonly timeZone: string;
  /** of the definition; one more with each change */
  readonly version: number;
  /** milliseconds since 1970 UTC; null: it is in use */
  readonly retiredAt: number | null;
  /** what one request may ask of it */
  readonly limits: CollectionLimits;
  readonly restriction: Restriction<Table> | null;
}

/** What records are kept of. */
export type Collection = Archive | Table;

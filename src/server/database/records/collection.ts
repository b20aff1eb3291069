import type { DefinedChecks } from '#shared/rules/check-definitions.ts';
import type { Column, KeywordField } from '#shared/rules/definitions.ts';
import type { CollectionLimits } from '#shared/rules/limits.ts';
import type { ListColumn } from '#shared/rules/lists.ts';
import type { ValueType } from '#shared/values/registry.ts';
import type { Check } from './check.ts';

/** The field whose values another field received when its type was changed. */
export interface Conversion {
  /** the number of the field with the values before the conversion */
  readonly from: number;
  /** the language in which its texts were parsed (BCP 47); null: only in the form of the interface */
  readonly readAs: string | null;
  /** the decimal places that the field had then */
  readonly scale: number | null;
  /**
   * where a conversion was reverted: the number of the field as it was before. Its values are back where the converted ones
   * were not changed.
   */
  readonly original?: number;
  /** the numbers of the fields from which `from` was converted, latest first, if a purge has removed `from` */
  readonly formerOfPurged?: readonly number[];
}

/** How the values of a field were read when its type was changed. */
export interface ConversionStep extends Pick<Conversion, 'readAs' | 'scale'> {
  /** of the field with the converted values */
  readonly type: ValueType;
}

/** A former field whose values were converted into a present one without loss. */
export interface SupersededField {
  readonly number: number;
  /** its name in entries of the history */
  readonly historyName: string;
  /** the conversions of its values since, in their order */
  readonly steps: readonly ConversionStep[];
}

/** A field with its identity, which a change of name keeps. */
type Identified<Field> = Field & {
  /** names its database column; never reused */
  readonly number: number;
  /** its name in entries of the history, never used for two fields */
  readonly historyName: string;
  readonly conversion: Conversion | null;
  /** the numbers of the fields that it was converted from, latest first: references to them refer to this field */
  readonly formerNumbers: readonly number[];
  /** what it was before changes of its type: entries about these are about it */
  readonly superseded: readonly SupersededField[];
};

/** What a user's view of an archive or table leaves out (docs/interface/administration.md, section 2). */
interface Restriction {
  /** with all its fields */
  readonly fullCollection: Collection;
  /** the index of each field of the view among the fields of the full collection */
  readonly fieldIndexes: readonly number[];
  readonly keywordFieldIndexes: readonly number[];
  /** whether fields or keyword fields are hidden, retired ones included: saved views, exceptions and stored answers may have them */
  readonly hidesFields: boolean;
  /** the numbers of the fields and keyword fields that the person may only read */
  readonly readOnly: ReadonlySet<number>;
}

/** What an archive and a data table have in common. */
interface AnyCollection {
  /** names the database tables: archive_ID, archive_ID_keywords, table_ID */
  readonly id: number;
  readonly guid: string;
  /** in the spelling of the definition; of an archive its table name */
  readonly name: string;
  /** what people call it */
  readonly label: string;
  readonly description: string;
  /** the columns whose values are unique together; of tables alone */
  readonly uniqueTogether: readonly (readonly string[])[];
  /** the checks as they are defined, inactive ones included, and the built-in ones that are turned off */
  readonly definedChecks: DefinedChecks;
  /** index fields have no default, and are not unique */
  readonly fields: readonly Identified<Column>[];
  /** of archives alone */
  readonly keywordFields: readonly Identified<KeywordField>[];
  /** the columns by which its lists can be filtered and sorted */
  readonly listColumns: readonly ListColumn[];
  /** the active checks; in a view those that name no hidden field */
  readonly checks: readonly Check[];
  /** the time zone in which the day begins for rules of checks; an IANA name */
  readonly timeZone: string;
  /** of the definition; increases by one with each change */
  readonly version: number;
  /** milliseconds since 1970 UTC; null: it is in use */
  readonly retiredAt: number | null;
  /** the limits of one request */
  readonly limits: CollectionLimits;
  /** null: all of it; else the view of a user, without the hidden fields */
  readonly restriction: Restriction | null;
}

/** An archive as the service uses it: what its definition says, and where its records are stored. */
export interface Archive extends AnyCollection {
  readonly kind: 'archive';
}

/** A data table as the service uses it. */
export interface Table extends AnyCollection {
  readonly kind: 'table';
}

/** An archive or a table: a collection of records. */
export type Collection = Archive | Table;

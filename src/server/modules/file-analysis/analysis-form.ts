import * as texts from '#messages/service/file-analysis.ts';
import * as definitionTexts from '#messages/definitions.ts';
import * as z from 'zod';
import { DESCRIBED_FILE, type FormBody } from '#server/http/form.ts';
import { requireValidBody } from '#server/http/body-validation.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { columnOverridesSchema, NO_HEADER, SAMPLE_ROWS } from '#shared/contract/file-analysis.ts';
import { JsonSyntaxError, parseJson } from '#shared/values/json.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import { isEncoding, SEPARATOR } from '#shared/rules/csv-format.ts';
import { MAX_SHEET_COLUMNS } from '#shared/rules/limits.ts';
import { isLanguageTag } from '#shared/rules/text-schemas.ts';
import { fileOfForm } from '../spreadsheets/sheet-form.ts';
import type { AnalysisRequest } from './analyse-sheet.service.ts';

/** The last line in which a header is searched. */
const LAST_HEADER = 1_000;

const FIELDS = ['separator', 'encoding', 'header', 'locale', 'rows', 'columns'] as const;

const FORM_TEXTS = {
  fileMissing: texts.fileNeeded,
  severalFiles: texts.oneFile,
  noFormField: texts.noFormField,
};

/** The form of an analysis for OpenAPI. */
export const DESCRIBED_ANALYSIS_FORM = {
  type: 'object',
  properties: {
    'files[0]': DESCRIBED_FILE,
    separator: { type: 'string', description: 'between the cells of a line: one character' },
    encoding: { type: 'string', description: 'such as utf-8 or windows-1252' },
    header: {
      type: 'string',
      pattern: '^[0-9]{1,3}$',
      description: 'the line of the header, from 1; 0: none',
    },
    locale: { type: 'string', description: 'of the notation of numbers and dates (BCP 47)' },
    rows: {
      type: 'string',
      pattern: '^[0-9]{1,4}$',
      description: `number of first rows in the answer, at most ${SAMPLE_ROWS.max}; ${SAMPLE_ROWS.default} by default`,
    },
    columns: {
      type: 'string',
      contentMediaType: 'application/json',
      description:
        'a list with an object for each column, in their order: name, label, type, decimal, order, required, unique, ' +
        'maxLength, scale, options; omitted properties are detected',
    },
  },
  required: ['files[0]'],
  additionalProperties: false,
};

/**
 * Reads the form of an analysis.
 * @throws {ApiError} 422 naming what is wrong
 */
export async function readAnalysisForm(form: FormBody): Promise<AnalysisRequest> {
  const errors: MessagesByPath = {};
  const file = fileOfForm(form, FIELDS, FORM_TEXTS, errors);
  /** null: not given, so that it is guessed */
  const field = (name: (typeof FIELDS)[number]) =>
    form.fields.findLast(([given]) => given === name)?.[1] || null;
  const checked = (
    name: 'separator' | 'encoding' | 'locale',
    isValid: (text: string) => boolean,
    message: string,
  ) => {
    const text = field(name);
    if (text === null || isValid(text)) return text;
    errors[name] = [texts.definitionProblem({ problem: message })];
    return null;
  };
  const whole = (name: 'header' | 'rows', min: number, max: number) => {
    const text = field(name);
    if (text === null) return null;
    const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : -1;
    if (number >= min && number <= max) return number;
    errors[name] = [texts.wholeNumberNeeded({ min, max })];
    return null;
  };
  const request = {
    separator: checked(
      'separator',
      (text) => SEPARATOR.test(text),
      definitionTexts.notOneCharacter,
    ),
    encoding: checked('encoding', isEncoding, definitionTexts.notAnEncoding),
    locale: checked('locale', isLanguageTag, definitionTexts.notALanguageTag),
    header: whole('header', NO_HEADER, LAST_HEADER),
    rows: whole('rows', 0, SAMPLE_ROWS.max) ?? SAMPLE_ROWS.default,
  };
  const columns = field('columns');
  const json = columns === null ? [] : parsed(columns, errors);
  if (!file || Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  const overrides = z.object({ columns: z.array(columnOverridesSchema).max(MAX_SHEET_COLUMNS) });
  return { file, ...request, ...(await requireValidBody(overrides, { columns: json })) };
}

function parsed(text: string, errors: MessagesByPath): unknown {
  try {
    // Numbers become those of JavaScript: columns have small ones alone.
    parseJson(text);
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    errors['columns'] = [texts.columnsNotJson];
    return [];
  }
}

import * as texts from '#messages/account.ts';
import { useState } from 'react';
import { useSession } from '#web/api/session.queries.ts';
import { groupedText } from '#web/fields/value-text.ts';
import { Field } from '#web/ui/field.tsx';
import { chooseFormatsOf, readFormatsOf } from '#web/ui/format-locale.ts';
import { Select } from '#web/ui/inputs/select.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

/** BCP 47 tags of the number and date formats to choose from. */
const FORMAT_LOCALES = [
  'de-AT',
  'de-CH',
  'de-DE',
  'en-CA',
  'en-GB',
  'en-IN',
  'en-US',
  'es-ES',
  'fr-FR',
  'it-IT',
  'nl-NL',
  'pl-PL',
  'sv-SE',
] as const;
/** The formats of the browser's language. */
const OF_BROWSER = 'browser';
const SAMPLE_DATE = '2026-12-31';
const SAMPLE_NUMBER = 1234.5;

/** The choice of the formats in which numbers and dates are shown and typed. */
export function Formats() {
  const { username } = useSession();
  const [choice, setChoice] = useState(() => readFormatsOf(username) ?? OF_BROWSER);
  const choose = (value: string) => {
    chooseFormatsOf(username, value === OF_BROWSER ? null : value);
    setChoice(value);
  };
  const options = [
    { value: OF_BROWSER, label: texts.asBrowser(sampleOf(navigator.language)) },
    ...FORMAT_LOCALES.map((locale) => ({
      value: locale,
      label: texts.formatsOf({ locale, sample: sampleOf(locale) }),
    })),
  ];
  return (
    <div className={`${shared.stack} ${classes.narrow}`}>
      <p>{texts.languageIs}</p>
      <Field label={texts.formats} description={texts.formatsHint}>
        {(controlProps) => (
          <Select {...controlProps} options={options} value={choice} onChange={choose} />
        )}
      </Field>
    </div>
  );
}

function sampleOf(locale: string): string {
  const date = groupedText({ type: 'date', scale: null }, SAMPLE_DATE, locale);
  const number = groupedText({ type: 'decimal', scale: 2 }, SAMPLE_NUMBER, locale);
  return texts.formatSample({ date, number });
}

import type { Supplier } from './suppliers.ts';

type Writer = Pick<Supplier, 'country' | 'language'>;

const MONTHS = {
  en: 'January February March April May June July August September October November December',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
};

/** A number as the supplier's country writes it, with separators; not the machine's locale data, which change. */
export function writeNumber(value: number, places: number, { country, language }: Writer): string {
  const [whole = '', fraction = ''] = value.toFixed(places).split('.');
  const [thousands, point] =
    country === 'CH'
      ? ["'", '.']
      : language === 'de'
        ? ['.', ',']
        : language === 'fr'
          ? [' ', ',']
          : [',', '.'];
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, thousands);
  return places > 0 ? `${grouped}${point}${fraction}` : grouped;
}

/** @param hundredths an amount of money in cents, pence or Rappen */
export function writeAmount(hundredths: number, writer: Writer): string {
  return writeNumber(hundredths / 100, 2, writer);
}

export function writeDay(day: string, { country, language }: Writer): string {
  const [year = '', month = '', date = ''] = day.split('-');
  if (language === 'de') return `${date}.${month}.${year}`;
  const name = MONTHS[language].split(' ')[Number(month) - 1] ?? '';
  if (country === 'US') return `${name} ${Number(date)}, ${year}`;
  const first = language === 'fr' && date === '01' ? '1er' : String(Number(date));
  return `${first} ${name} ${year}`;
}

/** How numbers and dates are written, by language tag. */
export const notations = {
  'de-DE': 'German: 31.12.2026, 1.234,50',
  'de-CH': 'Swiss: 31.12.2026, 1’234.50',
  'en-GB': 'British: 31/12/2026, 1,234.50',
  'en-US': 'American: 12/31/2026, 1,234.50',
  'fr-FR': 'French: 31/12/2026, 1 234,50',
  'sv-SE': 'Swedish: 2026-12-31, 1 234,50',
};

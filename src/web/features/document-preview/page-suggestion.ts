import { spellingsOf } from '#shared/checks/page-spellings.ts';
import { textsAt } from './page-lines.ts';
import { findPlace, type PlaceQuery } from './page-places.ts';
import type { PageSource } from './page-source.ts';

/** Wider than any page, in pixels. */
const TO_THE_END = 100_000;

/**
 * The text where a field is expected: at its place in other documents, or next to its label.
 * @returns the texts of the line, from left to right; empty if the place is unknown
 */
export async function suggestedTexts(
  source: PageSource,
  {
    label,
    inSimilarDocuments,
  }: { readonly label: string; readonly inSimilarDocuments: PlaceQuery['inSimilarDocuments'] },
): Promise<readonly string[]> {
  const query = { value: null, label: spellingsOf('text', label), inSimilarDocuments };
  const { kind, page, box } = await findPlace(source, query);
  if (!box || !source.pieces) return [];
  const beside = { ...box, left: box.left + box.width, width: TO_THE_END };
  return textsAt(await source.pieces(page), kind === 'label' ? beside : box).filter(Boolean);
}

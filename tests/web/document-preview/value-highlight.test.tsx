import { QueryClient } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it, vi } from 'vitest';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import type { PageSource } from '#web/features/document-preview/page-source.ts';
import { useValueHighlight } from '#web/features/document-preview/use-value-highlight.ts';
import { type FormValues, inputName } from '#web/features/index-form/form-values.ts';
import { inputAssistOf } from '#web/features/index-form/input-assist.ts';
import { useHighlightedValue } from '#web/features/index-form/use-highlighted-value.ts';

const highlights = new Map<string, Set<Range>>();
vi.stubGlobal('CSS', { highlights });
vi.stubGlobal(
  'Highlight',
  class extends Set<Range> {
    constructor(...ranges: Range[]) {
      super(ranges);
    }
  },
);
afterEach(cleanup);

const definition = (name: string, onPage: boolean): IndexFieldDefinition => ({
  name,
  label: name,
  description: '',
  type: 'decimal',
  required: false,
  maxLength: null,
  options: null,
  optionsFrom: null,
  pattern: null,
  scale: 2,
  min: null,
  max: null,
  ...(onPage && { onPage }),
});
const FIELDS = [definition('TOTAL', true), definition('NET', false)].map((one) => ({
  name: one.name,
  label: one.name,
  path: `indexFields.${one.name}`,
  definition: one,
  isReadOnly: false,
}));
const ARCHIVE = { indexFieldDefinitions: FIELDS.map((field) => field.definition) };
const PAGES = ['Deckblatt', 'Rechnung<br>Summe: <b>2.084</b>,40 EUR, 1,50'];

it('highlights the value of the focused field, and goes to its page', async () => {
  const layers = new Map<number, HTMLElement>();
  const draw = (page: number) => {
    const layer = document.body.appendChild(document.createElement('div'));
    layer.innerHTML = PAGES[page - 1] ?? '';
    layers.set(page, layer);
  };
  draw(1);
  const source: PageSource = {
    pageCount: PAGES.length,
    firstSize: { width: 1, height: 1 },
    measure: 'paper',
    size: () => Promise.resolve({ width: 1, height: 1 }),
    draw: () => Promise.resolve(),
    text: (page) =>
      Promise.resolve((PAGES[page - 1] ?? '').replaceAll('<br>', '\n').replaceAll(/<[^>]*>/gu, '')),
    close: () => undefined,
  };
  const toPage = vi.fn<(page: number) => void>(draw);
  const inputAssist = inputAssistOf(new QueryClient(), 'anna', 'A');
  const { result, rerender } = renderHook(
    ({ current }: { current: string | null }) => {
      const form = useForm<FormValues>({ defaultValues: { values: ['2084.40', '1.50'] } });
      const { highlightedValue } = inputAssist;
      useHighlightedValue({ archive: ARCHIVE, form, fields: FIELDS, current, highlightedValue });
      useValueHighlight({
        source,
        highlightedValue: inputAssist.highlightedValue,
        suggestionFinder: null,
        layers: { current: layers },
        toPage,
      });
      return form;
    },
    { initialProps: { current: null as string | null } },
  );
  const marked = () => Array.from(highlights.get('document-value') ?? [], String);
  expect(marked()).toEqual([]);
  rerender({ current: 'indexFields.TOTAL' });
  await waitFor(() => expect(marked()).toEqual(['2.084,40']));
  expect(toPage).toHaveBeenCalledExactlyOnceWith(2);
  result.current.setValue(inputName(0), '1.5');
  await waitFor(() => expect(marked()).toEqual(['1,50']));
  // A field that is not marked with onPage.
  rerender({ current: 'indexFields.NET' });
  await waitFor(() => expect(marked()).toEqual([]));
  expect(toPage).toHaveBeenCalledOnce();
});

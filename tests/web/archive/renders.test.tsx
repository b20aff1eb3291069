import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { ArchiveDetail, RevisionDetail, Session } from '#shared/contract/answers.ts';
import { SessionProvider } from '#web/api/session.queries.ts';
import { draftsOf } from '#web/features/index-form/drafts.ts';
import { RevisionForm } from '#web/features/index-form/revision-form.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';

const NAMES = ['A', 'B', 'C'];
const renders = new Map<string, number>();

/** The definition of a field, which counts how often a component reads its description, as each rendering of it does. */
const counted = (name: string): ArchiveDetail['indexFieldDefinitions'][number] => ({
  name,
  label: name,
  type: 'text',
  required: false,
  maxLength: 20,
  scale: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
  optionsFrom: null,
  get description() {
    renders.set(name, (renders.get(name) ?? 0) + 1);
    return '';
  },
});

const ARCHIVE: ArchiveDetail = {
  guid: '6f0d1c6a-52b7-4c1e-9a53-0f3e8c7d2a41',
  table: 'A',
  name: 'A',
  description: '',
  documents: 1,
  rights: 'write',
  indexFieldDefinitions: NAMES.map(counted),
  keywordFieldDefinitions: [{ name: 'TOPIC', label: 'Topic' }],
};

const SESSION: Session = {
  sessionId: '1',
  username: 'anna',
  displayName: 'Anna',
  role: 'clerk',
  expiresAt: '2027-01-01T00:00:00.000Z',
};

const REVISION: RevisionDetail = {
  revisionId: '1',
  documentId: '1',
  revision: 1,
  createdAt: '2026-01-01T00:00:00Z',
  changedAt: '2026-01-01T00:00:00Z',
  changedBy: 'anna',
  locked: null,
  files: [],
  indexFields: NAMES.map((name) => ({ name, value: name })),
  keywordFields: [],
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('renders the field that is typed into, and neither the other fields nor the form', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no service here')));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const nothing = () => undefined;
  render(
    <QueryClientProvider client={client}>
      <LibraryProvider>
        <SessionProvider value={SESSION}>
          <RevisionForm
            archive={ARCHIVE}
            latest={{ revision: REVISION, etag: '"1"' }}
            isDeleted={false}
            requestShown={false}
            onRequestShown={nothing}
            username="anna"
            administrator={false}
            drafts={draftsOf(client, 'anna', 'A')}
            listPosition={null}
            onMove={nothing}
            onBack={nothing}
            onClose={nothing}
            focusOn={undefined}
            onFocused={nothing}
            onFieldFocus={nothing}
            onEnterNext={nothing}
          />
        </SessionProvider>
      </LibraryProvider>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const editor = screen.getByRole('combobox', { name: 'B' });
  // The first key makes the field a changed one, which the form says.
  await user.type(editor, '1');
  await screen.findByText('1 field changed');
  renders.clear();
  // At once, so that nothing else that the form waits for is rendered meanwhile.
  fireEvent.change(editor, { target: { value: 'B123' } });
  expect(editor).toHaveProperty('value', 'B123');
  expect([...renders.keys()]).toEqual(['B']);
});

import * as texts from '#messages/document-upload.ts';
import { csvLine, toCsvText } from '#shared/rules/spreadsheets.ts';
import { Button } from '#web/ui/button.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import type { UploadItem } from './uploader.ts';

interface ReceiptLinkProps {
  readonly archive: string;
  readonly items: readonly UploadItem[];
}

/** Saves the outcome of each file as CSV. */
export function ReceiptLink({ archive, items }: ReceiptLinkProps) {
  const save = () => {
    const header = [texts.file, texts.bytes, texts.state, texts.revision, texts.message];
    const rows = items.map(({ file, state, revisionId, message }) => [
      file.name,
      String(file.size),
      texts.states[state],
      revisionId ?? '',
      message ?? '',
    ]);
    const lines = [header, ...rows].map((cells) => csvLine(cells.map(toCsvText), ','));
    const csv = new Blob([lines.join('\r\n')], { type: 'text/csv' });
    saveFile(csv, `${archive}-receipt.csv`);
  };
  return (
    <Button variant="default" onClick={save}>
      {texts.receipt}
    </Button>
  );
}

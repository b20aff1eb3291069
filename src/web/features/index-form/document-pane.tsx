import { ActionIcon } from '@mantine/core';
import type { DocumentFile, RevisionDetail } from '#shared/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { CloseIcon, DocumentIcon } from '#web/ui/icons.tsx';
import classes from './document-pane.module.css';

/** The first file of a revision where browsers can show it in the page: a PDF or an image. */
export function shownFile(revision: RevisionDetail | undefined): DocumentFile | null {
  const [file] = revision?.files ?? [];
  return file && /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp|avif))$/.test(file.contentType)
    ? file
    : null;
}

interface DocumentPaneProps {
  readonly archive: string;
  readonly revision: RevisionDetail | undefined;
  readonly onClose: () => void;
}

/** The page of the revision beside its form. */
export function DocumentPane({ archive, revision, onClose }: DocumentPaneProps) {
  const file = shownFile(revision);
  const address =
    revision && file ? apiPaths.revisionFile(archive, revision.revisionId, file.fileId) : null;
  return (
    <section className={classes.pane} aria-label="Document">
      <header className={classes.head}>
        <DocumentIcon size={15} />
        {file && address ? (
          <a href={address} target="_blank" rel="noreferrer" className={classes.name}>
            {file.name}
          </a>
        ) : (
          <span className={classes.name}>Document</span>
        )}
        <ActionIcon aria-label="Hide the document" onClick={onClose}>
          <CloseIcon size={15} />
        </ActionIcon>
      </header>
      <div className={classes.body}>
        {file && address ? (
          file.contentType === 'application/pdf' ? (
            // Browsers show no PDF in a sandboxed frame; what the service sends is never a page.
            // oxlint-disable-next-line react/iframe-missing-sandbox
            <iframe
              key={address}
              title={`Document of revision ${revision?.revisionId}: ${file.name}`}
              src={`${address}#toolbar=0&navpanes=0&view=FitH`}
              className={classes.frame}
            />
          ) : (
            <img src={address} alt={file.name} className={classes.image} />
          )
        ) : (
          revision && <p className={classes.none}>This revision has no page to show here.</p>
        )}
      </div>
    </section>
  );
}

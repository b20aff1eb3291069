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
  /** the revision that will probably be next: its page is made ready behind this one */
  readonly ahead: RevisionDetail | undefined;
  readonly onClose: () => void;
}

/** The page of the revision beside its form. */
export function DocumentPane({ archive, revision, ahead, onClose }: DocumentPaneProps) {
  const current = pageOf(archive, revision);
  const next = pageOf(archive, ahead);
  const pages = [current, next].filter((page) => page !== null);
  return (
    <section className={classes.pane} aria-label="Document">
      <header className={classes.head}>
        <DocumentIcon size={15} />
        {current ? (
          <a href={current.address} target="_blank" rel="noreferrer" className={classes.name}>
            {current.file.name}
          </a>
        ) : (
          <span className={classes.name}>Document</span>
        )}
        <ActionIcon aria-label="Hide the document" onClick={onClose}>
          <CloseIcon size={15} />
        </ActionIcon>
      </header>
      <div className={classes.body}>
        {revision && !current && (
          <p className={classes.none}>This revision has no page to show here.</p>
        )}
        {pages
          .filter((page, at) => pages.findIndex(({ address }) => address === page.address) === at)
          // In an order of their own, as a frame that is moved in the page loads anew.
          .toSorted((a, b) => (a.address < b.address ? -1 : 1))
          .map((page) => (
            <ShownPage key={page.address} page={page} hidden={page !== current} />
          ))}
      </div>
    </section>
  );
}

interface PageOfRevision {
  readonly revisionId: string;
  readonly file: DocumentFile;
  readonly address: string;
}

function pageOf(archive: string, revision: RevisionDetail | undefined): PageOfRevision | null {
  const file = shownFile(revision);
  if (!revision || !file) return null;
  const { revisionId } = revision;
  return { revisionId, file, address: apiPaths.revisionFile(archive, revisionId, file.fileId) };
}

interface ShownPageProps {
  readonly page: PageOfRevision;
  readonly hidden: boolean;
}

function ShownPage({ page, hidden }: ShownPageProps) {
  const { revisionId, file, address } = page;
  if (file.contentType !== 'application/pdf') {
    return <img src={address} alt={file.name} className={classes.image} hidden={hidden} />;
  }
  return (
    // Browsers show no PDF in a sandboxed frame; what the service sends is never a page.
    // oxlint-disable-next-line react/iframe-missing-sandbox
    <iframe
      title={`Document of revision ${revisionId}: ${file.name}`}
      src={`${address}#toolbar=0&navpanes=0&view=FitH`}
      className={classes.frame}
      data-hidden={hidden || undefined}
      aria-hidden={hidden}
      tabIndex={hidden ? -1 : 0}
    />
  );
}

import * as texts from '#messages/index-form.ts';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { DocumentIcon } from '#web/ui/icons.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './index-form.module.css';

interface FileListProps {
  readonly archive: string;
  readonly revision: RevisionDetail;
}

/** The files of the revision; each opens in a separate tab. */
export function FileList({ archive, revision }: FileListProps) {
  if (revision.files.length === 0) return null;
  return (
    <section className={classes.section} aria-label={texts.files}>
      <h3 className={classes.heading}>{texts.files}</h3>
      <ul>
        {revision.files.map(({ fileId, name, size }) => (
          <li key={fileId}>
            <a
              href={apiPaths.revisionFile(archive, revision.revisionId, fileId)}
              target="_blank"
              rel="noreferrer"
              className={classes.file}
            >
              <DocumentIcon size={14} />
              <span className={`${shared.truncated} ${classes.fileName}`}>{name}</span>
              <span className={shared.note}>{byteSizeText(size)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

import * as texts from '#messages/documents.ts';
import type { Address, Attachment, Email } from 'postal-mime';
import { use, useState } from 'react';
import { newIdempotencyKey } from '#web/api/request.ts';
import { DocumentIcon } from '#web/ui/icons.tsx';
import { momentInWords } from '#web/fields/value-text.ts';
import { kindOf } from './file-kind.ts';
import { HtmlFrame } from './html-frame.tsx';
import { OpenAttachment } from './open-attachment.ts';
import shared from '#web/ui/shared.module.css';
import { DescriptionItem } from '#web/ui/description-list.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import classes from './viewer.module.css';

interface MailTextProps {
  readonly mail: Email;
  readonly onFrame: (frame: HTMLIFrameElement | null) => void;
}

/** A mail: its header, its attachments and its body. */
export function MailText({ mail, onFrame }: MailTextProps) {
  const lines: readonly (readonly [string, string])[] = [
    [texts.mailHeaders.from, mail.from ? addressText(mail.from) : ''],
    [texts.mailHeaders.to, (mail.to ?? []).map(addressText).join(', ')],
    [texts.mailHeaders.cc, (mail.cc ?? []).map(addressText).join(', ')],
    [texts.mailHeaders.date, dateText(mail.date)],
    [texts.mailHeaders.subject, mail.subject ?? ''],
  ];
  const attachments = mail.attachments.filter(({ related }) => !related);
  return (
    <div className={classes.mail}>
      <dl className={classes.mailHead}>
        {lines
          .filter(([, text]) => text !== '')
          .map(([label, text]) => (
            <DescriptionItem key={label} name={label}>
              {text}
            </DescriptionItem>
          ))}
      </dl>
      {attachments.length > 0 && (
        <ul className={classes.attachments} aria-label={texts.attachments}>
          {attachments.map((attachment, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at}>
              <AttachmentLink attachment={attachment} number={at + 1} />
            </li>
          ))}
        </ul>
      )}
      {mail.html ? (
        <HtmlFrame html={mail.html} title={mail.subject ?? texts.mail} onFrame={onFrame} />
      ) : (
        <pre className={classes.text}>{mail.text ?? ''}</pre>
      )}
    </div>
  );
}

interface AttachmentLinkProps {
  readonly attachment: Attachment;
  readonly number: number;
}

function AttachmentLink({ attachment, number }: AttachmentLinkProps) {
  const open = use(OpenAttachment);
  const name = attachment.filename ?? texts.attachment(number);
  const kind = kindOf(attachment.mimeType, name);
  // Unique among all attachments of all mails.
  const [key] = useState(newIdempotencyKey);
  return (
    <>
      <DocumentIcon size={14} />
      {kind === 'none' ? (
        <span>{name}</span>
      ) : (
        <button
          type="button"
          className={shared.link}
          onClick={() => {
            const bytes = copyOf(attachment.content);
            open({ key: `attachment ${key}`, name, kind, size: bytes.byteLength, bytes });
          }}
        >
          {name}
        </button>
      )}
      <button type="button" className={shared.link} onClick={() => save(attachment, name)}>
        {texts.save}
      </button>
    </>
  );
}

function save(attachment: Attachment, name: string) {
  // Downloaded, never opened as a page of this site, whatever its type.
  saveFile(new Blob([copyOf(attachment.content)], { type: 'application/octet-stream' }), name);
}

function copyOf(content: Attachment['content']): ArrayBuffer {
  if (typeof content === 'string') return new TextEncoder().encode(content).slice().buffer;
  return new Uint8Array(content).slice().buffer;
}

function addressText(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(addressText).join(', ')}`;
  return address.name ? `${address.name} <${address.address}>` : address.address;
}

function dateText(date: string | undefined): string {
  return date === undefined ? '' : (momentInWords(date) ?? date);
}

import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/failures.ts';
import type { ReactNode } from 'react';
import { type ApiFailure, toFailure } from '#web/api/failure.ts';
import { Button } from './button.tsx';
import classes from './error-panel.module.css';
import { WarningIcon } from './icons.tsx';

interface ErrorPanelProps {
  /** a failure, or any thrown value */
  readonly error: unknown;
  /** what failed: “The list could not be read.” */
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
  /**
   * names a path of the errors for the user (`indexFields.AMOUNT` → “Amount”); the path itself if it returns
   * undefined
   */
  readonly pathLabel?: ((path: string) => string | undefined) | undefined;
}

/** Shows any failure in place: messages by path, or a response of an unknown shape unchanged. */
export function ErrorPanel({ error, title, onRetry, pathLabel }: ErrorPanelProps) {
  const failure = asFailure(error);
  return (
    <ErrorFrame title={title ?? defaultTitle(failure)}>
      <Details failure={failure} pathLabel={pathLabel} />
      {onRetry && (
        <div className={classes.retry}>
          <Button variant="default" onClick={onRetry}>
            {commonTexts.tryAgain}
          </Button>
        </div>
      )}
    </ErrorFrame>
  );
}

/** Announces an error, with what can be done about it. */
export function ErrorFrame({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.panel} role="alert">
      <WarningIcon size={18} />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {children}
      </div>
    </div>
  );
}

function Details({
  failure,
  pathLabel,
}: {
  readonly failure: ApiFailure;
  readonly pathLabel: ErrorPanelProps['pathLabel'];
}) {
  switch (failure.kind) {
    case 'unreachable':
      return <p>{texts.noAnswer}</p>;
    case 'changed-file':
      return <p>{texts.changedFile}</p>;
    case 'api':
      return (
        <>
          <ul className={classes.messages}>
            {Object.entries(failure.errors).flatMap(([path, messages]) =>
              messages.map((message) => (
                <li key={`${path} ${message}`}>
                  {path !== '-' && <strong>{pathLabel?.(path) ?? path}: </strong>}
                  {message}
                </li>
              )),
            )}
          </ul>
          <p className={classes.small}>
            {texts.request({
              status: failure.status,
              code: failure.code,
              id: failure.requestId,
            })}
          </p>
        </>
      );
    case 'unrecognized':
      return (
        <>
          {failure.status > 0 && <p>{texts.received(failure)}</p>}
          <textarea
            className={classes.raw}
            readOnly
            rows={Math.min(12, 3 + failure.text.split('\n').length)}
            aria-label={texts.receivedLabel}
            value={failure.text === '' ? texts.receivedNothing : failure.text}
          />
        </>
      );
    default:
      return failure satisfies never;
  }
}

function defaultTitle(failure: ApiFailure): string {
  switch (failure.kind) {
    case 'unreachable':
      return texts.unreachableTitle;
    case 'changed-file':
      return texts.notSentTitle;
    case 'api':
      return texts.refusedTitle;
    case 'unrecognized':
      return failure.status === 0 ? texts.pageFailedTitle : texts.foreignAnswerTitle;
    default:
      return failure satisfies never;
  }
}

function asFailure(error: unknown): ApiFailure {
  return isFailure(error) ? error : toFailure(error);
}

function isFailure(error: unknown): error is ApiFailure {
  return (
    typeof error === 'object' && error !== null && !(error instanceof Error) && 'kind' in error
  );
}

import type { Menu as MantineMenu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as texts from '#messages/check-list.ts';
import { checksQuery } from '#web/api/checks.queries.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { duplicatesLink } from '#web/api/list-link.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { useWriteBlock } from '#web/api/session.queries.ts';
import { LockIcon, WarningIcon } from '#web/ui/icons.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './check-items.module.css';

interface CheckItemsProps {
  readonly Menu: typeof MantineMenu;
  readonly collection: CollectionRef;
  /** the name of the check by which the list is filtered */
  readonly shown: string | undefined;
  readonly onShow: (name: string) => void;
  /** starts a queue of the records that a check finds; undefined: the user cannot correct them in a queue */
  readonly onCorrect: ((check: CorrectedCheck) => void) | undefined;
  /** shows a field of the records that a check finds next to their pages; undefined: not possible */
  readonly onReview: ((check: string, fields: readonly string[]) => void) | undefined;
}

/** A check whose findings are corrected one by one. */
interface CorrectedCheck {
  readonly name: string;
  readonly label: string;
}

/** The checks in the menu, those with findings first. */
export function CheckItems(props: CheckItemsProps) {
  const { Menu, collection, shown, onShow, onCorrect, onReview } = props;
  const block = useWriteBlock();
  const navigate = useNavigate();
  const { data, error } = useQuery(checksQuery(collection));
  // Within those with findings, and within those without, the order of the definition stays.
  const sorted = data?.toSorted((a, b) => Number(b.count !== 0) - Number(a.count !== 0));
  return (
    <div className={classes.list}>
      <Menu.Label>{texts.findings}</Menu.Label>
      {!data &&
        (error ? (
          <p className={classes.note}>{texts.notRead(summary(toFailure(error)))}</p>
        ) : (
          <Spinner />
        ))}
      {sorted?.length === 0 && <p className={classes.note}>{texts.noChecks}</p>}
      {sorted?.map(({ name, label, severity, count, atLeast, fields, duplicates }) => (
        <div key={name} role="none" className={classes.row}>
          <Menu.Item
            aria-current={name === shown || undefined}
            data-none={count === 0 || undefined}
            className={classes.check}
            leftSection={severity === 'block' ? <LockIcon size={15} /> : <WarningIcon size={15} />}
            rightSection={
              <span className={classes.count}>
                {count === null ? texts.atLeast(atLeast) : texts.count(count)}
              </span>
            }
            onClick={() => onShow(name)}
          >
            {label}{' '}
            <span className={shared.detail} data-severity={severity}>
              {severity === 'block' ? texts.blocks : texts.warns}
              {count === null && ` · ${texts.beingCounted}`}
            </span>
          </Menu.Item>
          {duplicates && count !== 0 && (
            <Menu.Item
              className={classes.correct}
              aria-label={texts.compareOf(label)}
              onClick={() => void navigate(duplicatesLink(collection, name))}
            >
              {texts.compare}
            </Menu.Item>
          )}
          {onCorrect && count !== 0 && (
            <Menu.Item
              className={classes.correct}
              aria-label={texts.correctTheseOf(label)}
              {...block}
              onClick={() => onCorrect({ name, label })}
            >
              {texts.correctThese}
            </Menu.Item>
          )}
          {onReview && count !== 0 && fields.length > 0 && (
            <Menu.Item
              className={classes.correct}
              aria-label={texts.reviewTheseOf(label)}
              {...block}
              onClick={() => onReview(name, fields)}
            >
              {texts.reviewThese}
            </Menu.Item>
          )}
        </div>
      ))}
    </div>
  );
}

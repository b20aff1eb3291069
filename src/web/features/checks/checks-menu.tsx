import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as texts from '#messages/check-list.ts';
import { checkFilterOf, checksQuery } from '#web/api/checks.queries.ts';
import { figuresLink } from '#web/api/list-link.ts';
import { type ListView, withoutField } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { Button } from '#web/ui/button.tsx';
import { LazyMenu } from '#web/ui/lazy-menu.tsx';
import { CheckItems } from './check-items.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './checks-menu.module.css';

export interface ChecksMenuProps {
  readonly collection: CollectionRef;
  /** the fields of the archive or table */
  readonly fields: readonly { readonly name: string }[];
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  /** starts a queue; undefined: the user cannot correct the records in a queue */
  readonly onCorrect?:
    | ((queue: { readonly name: string; readonly view: ListView }) => void)
    | undefined;
  /** shows a field of records next to their pages; undefined: the user cannot correct them, or there are none */
  readonly onReview?: ((fields: readonly string[], view: ListView) => void) | undefined;
}

/** The checks of the list with their findings; choosing one filters the list by its findings. */
export function ChecksMenu(props: ChecksMenuProps) {
  const { collection, fields, view, onViewChange, onCorrect, onReview } = props;
  const navigate = useNavigate();
  const { data: checks = [] } = useQuery(checksQuery(collection));
  const field = checkFilterOf(fields);
  const { where = [] } = view;
  const found = checks.filter(({ atLeast }) => atLeast > 0).length;
  /** all findings of a check, as counted in the menu, in list order */
  const findingsOf = (check: string): ListView => ({
    where: [{ field, op: 'eq', value: check }],
    sort: view.sort ?? [],
  });
  const show = (op: 'eq' | 'null', value: string) =>
    onViewChange({ ...view, where: [...withoutField(where, field), { field, op, value }] });
  return (
    <LazyMenu
      position="bottom-end"
      width={`min(${onReview ? 520 : 340}px, calc(100vw - 10px))`}
      target={
        <Button
          variant="subtle"
          color="gray"
          title={found > 0 ? texts.checksWithFindings(found) : undefined}
          aria-label={found > 0 ? texts.checksWithFindings(found) : texts.checks}
        >
          {texts.checks}{' '}
          {found > 0 && <span className={`${shared.badge} ${classes.found}`}>{found}</span>}
        </Button>
      }
    >
      {(Menu) => (
        <>
          {/* Without a focusable item the menu would not get the focus while the checks are loading. */}
          <Menu.Item
            aria-current={
              where.some((one) => one.field === field && one.op === 'null') || undefined
            }
            onClick={() => show('null', 'true')}
          >
            {texts.withoutFindings}
          </Menu.Item>
          <CheckItems
            Menu={Menu}
            collection={collection}
            shown={where.find((one) => one.field === field && one.op === 'eq')?.value}
            onShow={(name) => show('eq', name)}
            onCorrect={
              onCorrect && (({ name, label }) => onCorrect({ name: label, view: findingsOf(name) }))
            }
            onReview={onReview && ((name, names) => onReview(names, findingsOf(name)))}
          />
          <Menu.Divider />
          <Menu.Item onClick={() => void navigate(figuresLink(collection))}>
            {texts.figures}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}

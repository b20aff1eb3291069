import type { TableDetail } from '#shared/contract/answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import { IconButton } from '#web/ui/button.tsx';
import { CheckIcon, drawIcon } from '#web/ui/icons.tsx';
import { LazyMenu } from '#web/ui/lazy-menu.tsx';
import { ListToolbar } from '#web/list-tools/list-toolbar.tsx';
import { gridFields } from './columns/table-fields.ts';
import * as texts from '#messages/tables.ts';

const RowsIcon = drawIcon(<path d="M4 5h16v14H4zM4 9.5h16M4 14.5h16" />);
const BinIcon = drawIcon(<path d="M4 7h16M9.5 7V4h5v3M6 7l1 13h10l1-13M10 11v5.5m4-5.5v5.5" />);

interface GridToolbarProps {
  readonly table: TableDetail;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly filtering: boolean;
  readonly onFiltering: (open: boolean) => void;
  readonly onDeleted: () => void;
}

/** Fields, filter, sort and search of the grid. */
export function GridToolbar({ table, onDeleted, ...props }: GridToolbarProps) {
  return (
    <>
      <IconButton
        size={30}
        aria-label={texts.deletedRecords}
        title={texts.deletedRecords}
        onClick={onDeleted}
      >
        <BinIcon size={15} />
      </IconButton>
      <LinesMenu view={props.view} onViewChange={props.onViewChange} />
      <ListToolbar
        fields={gridFields(table)}
        label={table.label}
        initialOrder={texts.initialOrder}
        {...props}
      />
    </>
  );
}

const LINES = [1, 2, 3, 4] as const;

/** How many lines each row has. */
function LinesMenu({ view, onViewChange }: Pick<GridToolbarProps, 'view' | 'onViewChange'>) {
  const { lines = 1, ...others } = view;
  return (
    <LazyMenu
      position="bottom-end"
      target={
        <IconButton
          size={30}
          aria-label={texts.linesOfRowsNow(lines)}
          title={texts.linesOfRows}
          color={lines > 1 ? 'accent' : 'gray'}
        >
          <RowsIcon size={15} />
        </IconButton>
      }
    >
      {(Menu) => (
        <>
          {LINES.map((count) => (
            <Menu.Item
              key={count}
              aria-current={count === lines || undefined}
              rightSection={count === lines && <CheckIcon size={13} />}
              onClick={() => onViewChange(count === 1 ? others : { ...others, lines: count })}
            >
              {texts.lines(count)}
            </Menu.Item>
          ))}
        </>
      )}
    </LazyMenu>
  );
}

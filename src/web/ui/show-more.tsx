import * as texts from '#messages/common.ts';
import { type ComponentProps, useState } from 'react';
import { Button } from './button.tsx';

/** The rest of a list that is shown in parts, as an infinite query has it. */
interface MoreItems {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface ShowMoreProps extends Pick<
  ComponentProps<typeof Button>,
  'variant' | 'color' | 'className'
> {
  readonly list: MoreItems;
  /** missing: “Show more” */
  readonly label?: string;
}

/** The button below a list that shows its next part; nothing at its end. */
export function ShowMore({ list, label = texts.showMore, ...props }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="subtle"
      {...props}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {label}
    </Button>
  );
}

/** The first items of a loaded list, and its rest for `ShowMore`. @param size of each part */
export function useFirstItems<Item>(items: readonly Item[], size: number) {
  const [count, setCount] = useState(size);
  return {
    firstItems: items.slice(0, count),
    rest: {
      hasNextPage: items.length > count,
      isFetchingNextPage: false,
      fetchNextPage: () => setCount(count + size),
    } satisfies MoreItems,
  };
}

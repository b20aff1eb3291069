import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { namedQuery, type OptionsFrom } from '#web/fields/look-up.ts';
import classes from './input-assist.module.css';

interface NotInTableProps {
  readonly from: OptionsFrom;
  readonly text: string;
}

const PAUSE_AFTER_TYPING = 300;

/** Says that no dataset of the table has a value, which may be saved all the same. */
export function NotInTable({ from, text }: NotInTableProps) {
  const client = useQueryClient();
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_AFTER_TYPING);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery(namedQuery(client, from, settled));
  if (!data || data.options.length > 0 || settled !== text) return null;
  return (
    <p className={classes.warning}>
      “{shortened(text)}” is not in {data.label}.
    </p>
  );
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

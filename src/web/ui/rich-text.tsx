import { createElement, Fragment, type ReactNode } from 'react';
import type { RichText as Parts } from '#shared/messages/rich.ts';

/** Renders a message that contains elements. */
export function RichText({ text }: { readonly text: Parts<ReactNode> }) {
  return createElement(Fragment, null, ...text);
}

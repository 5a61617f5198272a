import type { CSSProperties } from 'react'

/** The fill and label colour of one token, as the variables that tags.module.css reads. */
export function tagColours(family: 'severity' | 'priority', name: string): CSSProperties {
  const token = `--svc-${family}-${name.toLowerCase()}`
  // CSSProperties knows no custom properties; React passes them on as they are.
  return { '--tag-fill': `var(${token})`, '--tag-on': `var(${token}-on)` } as CSSProperties
}

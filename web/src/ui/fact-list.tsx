import type { ReactNode } from 'react'
import classes from './fact-list.module.css'

/** Names and values of one object, two columns that become one where it is narrow. */
export function FactList({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={classes['list']}>
      {facts.map((fact) => (
        <div key={fact.name} className={classes['fact']}>
          <dt className={classes['name']}>{fact.name}</dt>
          <dd className={classes['value']}>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}

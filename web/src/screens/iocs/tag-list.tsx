import classes from './iocs.module.css'

/** Tags as small plain labels. */
export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul className={classes['tags']}>
      {tags.map((tag) => (
        <li key={tag} className={classes['tag']}>
          {tag}
        </li>
      ))}
    </ul>
  )
}

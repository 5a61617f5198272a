import { useSearch } from '@tanstack/react-router'
import { useHealth } from '../../api/health.ts'
import { paths } from '../../shell/paths.ts'
import { ProductMark } from '../../shell/product-mark.tsx'
import { Callout } from '../../ui/callout.tsx'
import { loginText } from './login.text.ts'
import { LoginForm } from './login-form.tsx'
import classes from './login-screen.module.css'

/** The way in; shows version, environment and a service that cannot let anyone in. */
export function LoginScreen() {
  const { ended } = useSearch({ from: paths.login })
  const { health, unreachable } = useHealth()
  const banner = unreachable ? loginText.serviceDown : health?.database === 'unreachable' ? loginText.databaseDown : undefined
  return (
    <div className={classes['page']}>
      <title>{`${loginText.title} · svc`}</title>
      <main className={classes['card']}>
        <div className={classes['brand']}>
          <ProductMark size={36} />
          <div>
            <p className={classes['name']}>svc</p>
            <p className={classes['tagline']}>{loginText.tagline}</p>
          </div>
        </div>
        <h1 className={classes['title']}>{loginText.title}</h1>
        {banner !== undefined && (
          <Callout tone="warning" role="status" apart>
            {banner} {loginText.bannerGoes}
          </Callout>
        )}
        {ended !== undefined && banner === undefined && (
          <Callout tone="info" role="status" apart>
            {loginText.ended[ended]}
          </Callout>
        )}
        <LoginForm />
      </main>
      <footer className={classes['footer']}>
        {health !== undefined && (
          <>
            <span>{loginText.version(health.version)}</span>
            <span>{health.environment}</span>
          </>
        )}
      </footer>
    </div>
  )
}

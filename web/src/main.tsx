import './ui/mantine-styles.ts'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepLive } from './api/live/keep-live.ts'
import { queryClient } from './api/query-client.ts'
import { keepSession } from './api/session.ts'
import { router } from './shell/router.tsx'
import { watchSession } from './shell/watch-session.ts'
import { cssVariables, theme } from './ui/theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// Mantine writes its own styles with getStyleNonce; the scroll lock inside its dialogs asks get-nonce instead.
setNonce(nonce)
keepSession()
watchSession(router, queryClient)
keepLive(queryClient)

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

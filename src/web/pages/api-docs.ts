import { Hono } from 'hono'
import type { RequestFacts } from '../../application/request.ts'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { createSecurityHeaders, generateNonce } from '../security-headers.ts'

/**
 * Serves the API documentation page (ADR-0014), on which Swagger UI renders the OpenAPI document. The two files of
 * Swagger UI are static assets on this origin (`vite.config.ts`). They are part of neither the Worker nor the sign-in
 * pages.
 */
export const apiDocsRoutes = () =>
  new Hono<{ Variables: RequestFacts }>()
    .get('/api/docs', () => {
      const headers = createSecurityHeaders({ nonce: generateNonce(), formTargets: [] })
      return new Response(PAGE, { headers: { ...headers, 'content-security-policy': POLICY } })
    })
    .all('/api/docs', (c) => {
      c.header('Allow', 'GET, HEAD')
      refuseWith('request.invalid_input', { allow: ['GET', 'HEAD'] }, 405)
    })

/** This policy also allows the files of Swagger UI and the images inside its style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">
<title>API - ${PRODUCT_NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api-docs/swagger-ui.css">
<link rel="stylesheet" href="/api-docs/theme.css">
<script src="/api-docs/swagger-ui-bundle.js" defer></script>
<script src="/api-docs/start.js" defer></script>
</head>
<body><div id="api"></div>
<noscript>This page needs JavaScript. The API is described at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
</body>
</html>
`

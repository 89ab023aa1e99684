/**
 * React's builds have no types of their own. They have the same types as `react-dom/server.edge`, which they replace.
 */
declare module '*/react-dom-server.edge.production.js'
declare module '*/react-dom-server.edge.development.js'

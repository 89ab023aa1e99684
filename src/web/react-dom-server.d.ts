/** React's builds have no types of their own; `react-dom/server.edge`, in whose place they are taken, has. */
declare module '*/react-dom-server.edge.production.js'
declare module '*/react-dom-server.edge.development.js'

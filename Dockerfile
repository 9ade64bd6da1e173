# syntax=docker/dockerfile:1.7
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS build
WORKDIR /build
COPY . .
# Downloads are cached for the next build, outside the image.
RUN --mount=type=cache,target=/root/.npm --mount=type=cache,target=/root/.local/share/pnpm/store \
    sh tools/image/build-tree.sh /srv/auctions

FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2
LABEL org.opencontainers.image.title="auction-service" org.opencontainers.image.licenses="MIT"
# Nothing here runs a package manager, and scanners report the dependencies of npm.
RUN rm -rf /usr/local/lib/node_modules && find /usr/local/bin -xtype l -delete \
  && install -d -o node -g node -m 0700 /data
COPY --from=build /srv/auctions /srv/auctions
# The default store is data/auctions.sqlite in the current folder, so it is in the volume. SQLITE_FILE is not set: together with
# MONGODB_URI it would name two stores.
WORKDIR /
VOLUME /data
# The user `node`, by number: runAsNonRoot of Kubernetes can't check a name.
USER 1000:1000
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --start-interval=1s CMD ["node", "/srv/auctions/dist/health-check.js"]
# A list, not a shell command: node is process 1 and receives the signals.
ENTRYPOINT ["node", "--disable-sigusr1", "/srv/auctions/dist/main.js"]
